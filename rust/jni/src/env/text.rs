//! Strings.

use jni::strings::JNIString;

use super::{Env, Pending};
use crate::handle::{LocalText, Text};

impl<'a> Env<'a> {
    /// A new Java string; the JVM takes modified UTF-8, in which NUL and what lies beyond U+FFFF are encoded differently.
    pub fn new_text(self, text: &str) -> Result<LocalText<'a>, Pending> {
        let encoded = JNIString::new(text);
        // SAFETY: `encoded` is modified UTF-8 that ends in NUL; the answer is a local reference to a string, or null.
        unsafe { LocalText::from_raw(call!(self, v1_2.NewStringUTF, encoded.as_ptr())) }
            .ok_or(Pending)
    }

    /// The text of a Java string; an unpaired surrogate becomes U+FFFD.
    pub fn text(self, text: Text<'_>) -> Result<String, Pending> {
        // SAFETY: `text` is a string, whose length is never negative.
        let length = unsafe { call!(self, v1_2.GetStringLength, text.as_raw()) };
        let mut units = vec![0u16; usize::try_from(length).unwrap_or(0)];
        // SAFETY: the region is the whole string, whose length `units` has.
        unsafe {
            call!(
                self,
                v1_2.GetStringRegion,
                text.as_raw(),
                0,
                length,
                units.as_mut_ptr()
            )
        };
        self.check()?;
        Ok(String::from_utf16_lossy(&units))
    }
}
