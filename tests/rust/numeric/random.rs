//! Random bits by their published vectors, and the inverse of the normal distribution by its published values.

use tensornio_numeric::normal::inverse;
use tensornio_numeric::philox::{bits, philox};

/// `kat_vectors` of Random123, which the authors of Philox publish with it.
#[test]
fn philox_has_its_published_vectors() {
    let all = u32::MAX;
    for (counter, key, words) in [
        (
            [0; 4],
            [0; 2],
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
        ),
        (
            [all; 4],
            [all; 2],
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
        ),
        (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        ),
    ] {
        assert_eq!(philox(counter, key), words, "{counter:x?} {key:x?}");
    }
}

#[test]
fn the_first_word_is_the_low_half() {
    assert_eq!(bits(0, 0), 0xe169_c58d_6627_e8d5);
    let words = philox([3, 7, 0, 0], [5, 9]);
    assert_eq!(
        bits(9 << 32 | 5, 7 << 32 | 3),
        u64::from(words[1]) << 32 | u64::from(words[0])
    );
}

/// The values that the algorithm's author prints, and exact ones.
#[test]
fn the_inverse_has_its_published_values() {
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-15, "{a} {b}");
    near(inverse(0.25), -0.674_489_750_196_081_7);
    near(inverse(0.001), -3.090_232_306_167_813_5);
    near(inverse(1e-20), -9.262_340_089_798_408);
    near(inverse(0.975), 1.959_963_984_540_054);
    assert_eq!(inverse(0.5), 0.0);
    assert_eq!(inverse(0.0), f64::NEG_INFINITY);
    assert_eq!(inverse(1.0), f64::INFINITY);
    assert!(inverse(f64::NAN).is_nan());
    assert_eq!(inverse(0.9999), -inverse(1.0 - 0.9999));
}
