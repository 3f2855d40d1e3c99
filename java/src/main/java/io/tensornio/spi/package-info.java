/** Discovery of native jars as modules; for internal use only. */
package io.tensornio.spi;
