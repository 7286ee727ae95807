// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import org.eclipse.microprofile.config.spi.Converter;

/** The converter of flags. The framework reads any other word as {@code false}, which could switch off a guard. */
public final class StrictFlag implements Converter<Boolean> {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean convert(String value) {
        return switch (value.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false; write one of them");
        };
    }
}
