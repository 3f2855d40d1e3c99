/**
 * Strings in memory, and on the way there.
 *
 * <p>{@code StringPacked}, offsets and bytes, is a {@code StringBlock}; {@code StringTape} takes strings in order and {@code StringStore} in any
 * other, while a tensor is filled; {@code StringAhead} and {@code StringRun} read in order; {@code StringPadding} is the form of strings of one
 * length; {@code Ascii} is the way past the encoder.
 */
package io.tensornio.internal.text;
