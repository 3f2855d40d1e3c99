//! The algorithms of `tensornio-numeric`.

mod random;
