# The folder of the sources, which may be another one than that of the build.
top := $(dir $(lastword $(MAKEFILE_LIST)))
in_top = $(patsubst $(top)%,%,$(sort $(wildcard $(addprefix $(top),$(1)))))

EXTENSION = hilo
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" '$(top)hilo.control')

MODULE_big = hilo
OBJS := $(patsubst %.c,%.o,$(call in_top,src/*.c src/*/*.c))
# PostgreSQL's headers as system headers: the warnings are about our code.  Its
# callbacks have parameters that ours do not always use.
PG_CPPFLAGS = -DHILO_VERSION='"$(EXTVERSION)"' -I$(srcdir)/src -isystem $(includedir_server) -isystem $(libpq_srcdir)
SHLIB_LINK = $(libpq)
PG_CFLAGS = -Wall -Wextra -Wno-unused-parameter

# The install script is these files of src/, in this order.
SQL_MODULES = hilo store/store store/gapless_row table/definition store/series_row relation/privilege source/orm_source \
	scheme/decimal_id base/case_fold call/hub_node call/generator call/seed call/stats \
	call/next call/range_protocol citus/citus column/generator_of \
	follow/follow column/attach column/number column/join column/rename call/orm_adopt column/adopt column/check_source column/check_subject column/check call/identity \
	document/document_id document/document_id_trigger document/artificial_id \
	document/ravendb_import anchor/anchor anchor/anchor_report call/guard scheme/id_text \
	base/scatter scheme/cipher scheme/trace_id table/grants
unlisted := $(filter-out $(SQL_MODULES:%=src/%.sql),$(call in_top,src/*.sql src/*/*.sql))
$(if $(unlisted),$(error SQL_MODULES does not list $(unlisted)))
DATA_built = hilo--$(EXTVERSION).sql
EXTRA_CLEAN = built_for
# The scripts of former versions, and from one to the next; and a script for psql.
DATA := $(filter-out %/$(DATA_built),$(call in_top,sql/release/hilo--*.sql)) doc/hilo_anchor_histogram.sql
DOCS := $(call in_top,doc/*.md doc/*.svg doc/*.json doc/*.yaml)

# A suite without tests must be undefined to PGXS, hence := throughout.
REGRESS := $(patsubst sql/%.sql,%,$(call in_top,sql/*.sql))
REGRESS_OPTS = --load-extension=hilo --launcher='sh $(srcdir)/sql/terse'
ISOLATION := $(patsubst test/specs/%.spec,%,$(call in_top,test/specs/*.spec))
ISOLATION_OPTS = --inputdir=$(srcdir)/test --load-extension=hilo --launcher='sh $(srcdir)/test/specs/shared'
# test/run says which; installcheck is what packagers run on servers of theirs
TAP_TESTS := $(if $(PROVE_TESTS),1)
# The expected files are in UTF-8 and sorted as C does, whatever the server's locale.
ENCODING = UTF8
NO_LOCALE = 1

# JIT bitcode only where the clang that PostgreSQL was built with is at hand;
# PGXS looks at this after it has set CLANG.
ifneq ($(with_llvm),no)
override with_llvm = $(if $(shell command -v $(CLANG) 2>/dev/null),yes,no)
endif

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

$(OBJS) $(OBJS:.o=.bc): $(call in_top,src/*/*.h)
src/hilo.o src/hilo.bc: hilo.control

# The objects are for one PostgreSQL; for another one they are made anew.
built_for := $(shell $(PG_CONFIG) --version --bindir)
ifneq ($(shell cat built_for 2>/dev/null),$(built_for))
.PHONY: built_for
endif
$(OBJS) $(OBJS:.o=.bc): built_for
built_for:
	@echo '$(built_for)' >$@

# A build elsewhere needs the folders of the objects.
$(if $(VPATH),$(shell mkdir -p $(sort $(dir $(OBJS)))))

# The pages link to one another.
docmoduledir = hilo

# PGXS looks for them where they lie here
.PHONY: uninstall-docs
uninstall: uninstall-docs
uninstall-docs:
	rm -f $(addprefix '$(DESTDIR)$(docdir)/hilo'/,$(DOCS:doc/%=%))
	-rmdir '$(DESTDIR)$(docdir)/hilo'

$(DATA_built): Makefile $(SQL_MODULES:%=src/%.sql)
	cat $(filter %.sql,$^) >$@

# What is committed: the bundle for PGXN, and the sources of the packages.
bundle = hilo-$(EXTVERSION)
.PHONY: dist
dist:
	git -C '$(srcdir)' archive --prefix=$(bundle)/ --output='$(CURDIR)/$(bundle).zip' HEAD
	git -C '$(srcdir)' archive --prefix=$(bundle)/ --output='$(CURDIR)/$(bundle).tar.gz' HEAD

.PHONY: test test-orm tokens demo bench analyze fuzz attack torture mutants packages release-check
test:
	@test/run
test-orm:
	@test/run orm
tokens:
	@test/tokens
demo:
	@test/demo/run
bench:
	@test/bench/run $(SUITES)
analyze:
	@test/analyze
fuzz:
	@test/proof/fuzz/run
attack:
	@test/proof/run attack $(ATTACK)
torture:
	@test/proof/run torture $(TORTURE)
mutants:
	@test/proof/run mutants $(MUTANTS)
packages:
	@test/dist $(PACKAGES)
release-check:
	@test/release
