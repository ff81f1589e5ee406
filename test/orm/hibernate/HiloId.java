import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.hibernate.annotations.IdGeneratorType;

/** Has the ids of an entity come from a generator of hilo, in blocks. */
@IdGeneratorType(HiloGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@interface HiloId {
	String value();

	int block() default 50;
}
