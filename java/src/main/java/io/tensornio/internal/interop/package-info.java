/** What the adapters to other libraries need of the implementation; no user sees it. */
package io.tensornio.internal.interop;
