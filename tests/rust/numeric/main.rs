//! The algorithms of `tensornio-numeric`.

mod called;
mod extremes;
mod fourier;
mod golden;
mod linear;
mod matrices;
mod order;
mod random;
