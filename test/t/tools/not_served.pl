# A suite of ORMs with packages that a registry does not serve is skipped, and says which; what
# fails otherwise fails.  The outputs are those of the package managers.

use strict;
use warnings;

use FindBin;
use lib map { "$FindBin::RealBin/../../$_/lib" } qw(t orm);
use OrmTest;
use Test::More;

my %said = (
	# pip 23
	'Could not find a version that satisfies the requirement no-such-package==1.0 (from versions: none)' => <<'END',
ERROR: Could not find a version that satisfies the requirement no-such-package==1.0 (from versions: none)
ERROR: No matching distribution found for no-such-package==1.0
END
	# npm 11, of a package
	'404 Not Found - GET https://registry.npmjs.org/no-such-package' => <<'END',
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/no-such-package
npm error 404
npm error 404  The requested resource 'no-such-package@1.0.0' could not be found or you do not have permission to access it.
END
	# and of a version
	'No matching version found for left-pad@99.0.0.' => <<'END',
npm error code ETARGET
npm error notarget No matching version found for left-pad@99.0.0.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.
END
	# Maven 3, of an artifact, and of one that it has asked for before
	'Could not find artifact org.nosuch:no-such-package:jar:1.0' => <<'END',
[ERROR] Failed to execute goal on project b: Could not resolve dependencies for project a:b:jar:1: Could not find artifact org.nosuch:no-such-package:jar:1.0 in central (https://repo.maven.apache.org/maven2) -> [Help 1]
END
	'org.nosuch:no-such-package:jar:1.0 was not found in https://repo.maven.apache.org/maven2' => <<'END',
[ERROR] Failed to execute goal on project b: Could not resolve dependencies for project a:b:jar:1: org.nosuch:no-such-package:jar:1.0 was not found in https://repo.maven.apache.org/maven2 during a previous attempt. This failure was cached in the local repository and resolution is not reattempted until the update interval of central has elapsed or updates are forced -> [Help 1]
END
	# Go, with a proxy that refuses a module, or has no such one, or no such version
	'reading https://proxy.golang.org/github.com/no-such/package/@v/v1.0.0.zip: 403 Forbidden' => <<'END',
main.go:2:8: github.com/no-such/package@v1.0.0: reading https://proxy.golang.org/github.com/no-such/package/@v/v1.0.0.zip: 403 Forbidden
	server response: This module version is not available.
END
	'reading https://proxy.golang.org/github.com/no-such/package/@v/v1.0.0.mod: 404 Not Found' => <<'END',
go: github.com/no-such/package@v1.0.0: reading https://proxy.golang.org/github.com/no-such/package/@v/v1.0.0.mod: 404 Not Found
END
	'no matching versions for query "v99"' => qq{go: module github.com/jackc/pgx/v5: no matching versions for query "v99"\n},
	'github.com/jackc/pgx/v5@v5.999.0: invalid version: unknown revision v5.999.0' => qq{go: github.com/jackc/pgx/v5\@v5.999.0: invalid version: unknown revision v5.999.0\n},
	# cargo, of a crate and of a version
	'no matching package named `no-such-package`' => <<'END',
error: no matching package named `no-such-package` found
location searched: crates.io index
required by package `x v0.1.0 (/tmp/c)`
END
	'failed to select a version for the requirement `serde = "^99"`' => <<'END',
error: failed to select a version for the requirement `serde = "^99"`
candidate versions found which didn't match: 1.0.229, 1.0.228, 1.0.227, ...
location searched: crates.io index
END
	# the .NET SDK 10, of a package and of a version
	'NU1101: Unable to find package NHibernate. No packages exist with this id in source(s): nuget.org ' =>
	  "/tmp/x/Insert.csproj : error NU1101: Unable to find package NHibernate. No packages exist with this id in source(s): nuget.org [/tmp/x/Insert.csproj]\n",
	'NU1102: Unable to find package Marten with version (>= 99.0.0)' =>
	  "/tmp/x/Insert.csproj : error NU1102: Unable to find package Marten with version (>= 99.0.0)\n");

foreach my $package (sort keys %said)
{
	is(why_not_fetched($said{$package}), "not served: $package", $package);
	is(skipped($said{$package}), "sh -c: not served: $package", 'its suite is skipped');
}
is(skipped('curl: (6) Could not resolve host: proxy.golang.org'), 'sh -c: no network',
	'and one without a network');
foreach my $failure (
	"Insert.cs(3,1): error CS0103: The name 'Foo' does not exist in the current context",
	'[ERROR] /tmp/x/Insert.java:[3,5] cannot find symbol', './main.go:3:5: undefined: pgx.Foo',
	"error[E0433]: failed to resolve: use of undeclared crate or module `foo`", 'npm error code 1',
	'')
{
	is(why_not_fetched($failure), '', "fails: $failure");
}
done_testing();

# Return why a suite is skipped when a package manager fails with this output.
sub skipped
{
	my ($output) = @_;

	subtest 'a suite' => sub { fetch('.', 'sh', '-c', 'printf %s "$0"; exit 1', $output) };
	return (Test::More->builder->details)[-1]{reason};
}
