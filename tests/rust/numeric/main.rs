//! The algorithms of `tensornio-numeric`.

mod called;
mod fourier;
mod golden;
mod linear;
mod order;
mod random;
