/** How the native jars are found as modules; programs have no use for it. */
package io.tensornio.spi;
