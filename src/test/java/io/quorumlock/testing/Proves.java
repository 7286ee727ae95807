// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The promises and rules of docs/guarantees.md that fail without these tests. The table there is made from it. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Proves {
    String[] value();
}
