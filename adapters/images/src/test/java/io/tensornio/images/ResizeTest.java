package io.tensornio.images;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.UInt8;
import org.junit.jupiter.api.Test;

/** Resized images beside what Pillow 13 makes of them, and what must hold for all. */
class ResizeTest {
    /** The filter, the sizes before and after, and Pillow's bytes. */
    private static final String[] PILLOW = {
        "NEAREST 7 9 3 3 4 62db54dc7d1e561f5cd0359aac4dee26b340a019921a7fe4f6bffc70e962ea9fc864c92e",
        "BILINEAR 7 9 3 3 4 538d7e8d80747270a29861a293907c66845988639a69948f96918d76836e7b9c7473a865",
        "AREA 7 9 3 3 4 329c869f778e637f959d47b18e917d5f7d4d946dab64917dab879d83866f5cae5d96b288",
        "BICUBIC 7 9 3 3 4 4b8c7d9481747072a39d5ea698917c5e83528b5ba165978c98948f767e6e7aa07173ab64",
        "NEAREST 5 4 3 11 9 0065ca0065ca3da2073da2077adf447adf447adf44b71c81b71c810065ca0065ca3da2073da2077adf447adf447adf44b71c8"
            + "1b71c81258aef258aef62db5462db549f2cb99f2cb99f2cb9dc7d1edc7d1e258aef258aef62db5462db549f2cb99f2cb99f2cb9dc7d1edc7d1e4aaf1"
            + "44aaf148714a18714a1c479a2c479a2c479a201de2f01de2f4aaf144aaf148714a18714a1c479a2c479a2c479a201de2f01de2f4aaf144aaf148714a"
            + "18714a1c479a2c479a2c479a201de2f01de2f6fd4396fd439ac4deeac4deee9c617e9c617e9c61726b34026b3406fd4396fd439ac4deeac4deee9c61"
            + "7e9c617e9c61726b34026b34094f95e94f95ed186afd186af0e87000e87000e87004b14514b145194f95e94f95ed186afd186af0e87000e87000e870"
            + "04b14514b1451",
        "BILINEAR 5 4 3 11 9 0065ca0a6fa9258a5340a50a5cc12677dc4192935cad3d77b71c81076cd11176b12c935e47ad1963b6387ebe56998662b446"
            + "6cbe2e6f187de22289c53daa7a58c13d749a648f728aaa6571c55d4fcf5a42288ddb3298c64db28d68c060847e899f3cb1b1537cc27839c88620399e"
            + "784396795e817b796d81956396b057aa95797972a23d65b2274aaf1454952c6f506a8a1aa1a647a2c173a278a07522cd4201de2f5bc02565a7408066"
            + "869b34bfb76594d2966889ae5233c33e12ca376cd13676b953917da2ac4fdcc88486e3b82f9abc2e44b83a23b73e7ce14686cc5fa1939fb766ccaa89"
            + "739bab1a729a2445823d3379468df25797df68b2aa94c27db08188603e910f3c6c2042414144314e94f95e9ee66cb9b390c686a570875819870a265a"
            + "1f4127434b1451",
        "AREA 5 4 3 11 9 0065ca0065ca3da2073da2077adf447adf447adf44b71c81b71c810065ca0065ca3da2073da2077adf447adf447adf44b71c81b7"
            + "1c81258aef258aef62db5462db549f2cb99f2cb99f2cb9dc7d1edc7d1e258aef258aef62db5462db549f2cb99f2cb99f2cb9dc7d1edc7d1e4aaf144a"
            + "af148714a18714a1c479a2c479a2c479a201de2f01de2f4aaf144aaf148714a18714a1c479a2c479a2c479a201de2f01de2f4aaf144aaf148714a187"
            + "14a1c479a2c479a2c479a201de2f01de2f6fd4396fd439ac4deeac4deee9c617e9c617e9c61726b34026b3406fd4396fd439ac4deeac4deee9c617e9"
            + "c617e9c61726b34026b34094f95e94f95ed186afd186af0e87000e87000e87004b14514b145194f95e94f95ed186afd186af0e87000e87000e87004b"
            + "14514b1451",
        "BICUBIC 5 4 3 11 9 005cd90367af1e80493da10059d80b74f335939f5dae2d82ba00920363e30a70bb25905744af0d60c8247bcb509b8b65b83a7"
            + "1c518781171ff1b85da36b97755d33270a55b8c6b8fb25777d6544be552392287f12e97d349c38a68cd5b857c8ea02dbdb94284cc7a2fd68f0c33a37"
            + "43f99755a82767a69819e50a8b446be9872836cae3365c71244be07509c246b4a6a8b13a5b637b2c773a57ca77518d43c00e82455d00261ab2a7b538"
            + "b9c1dcdd053a6e79e6990c24b1bd63b00e03266de2372bf4c8c74b3ad48eadd7d8ff2c026a4ca1d3abe3910bb4179ee3b86d45ca691b2bd65d9b7897"
            + "6a1b30a72a210417e3d2b714e8afc5198e766c0aca0c97db47e875e2f92052a68124234444a1e5791ff5aa1f06bccb89acf88a56687530085020b501"
            + "342134757005b",
        "NEAREST 8 6 4 3 5 258aef5462db54cddc7d1e3319cef7ac561f5c9994f95ec3d186af644b14518e8815a22fc5a2f344de43a80d1bf8499a954a73"
            + "28d27314290f9c29b6",
        "BILINEAR 8 6 4 3 5 40a3765f71b055758d80647755948b84554ea0898bae5c928f966f4e519e438c51795d809261ab5c83707b5f4fb35380737c6"
            + "496a46a774f58998073",
        "AREA 8 6 4 3 5 30947f545bb046788a7e677b3db9997d5f37aa9983e74db1cd84b0344d862f906b28746bbf8ce5289c2c91624ed1536b798c67a0d"
            + "3768f295c9c8d87",
        "BICUBIC 8 6 4 3 5 2ea579586db64f779b74637651988a865148a48d8eb15a9eae8d893f48a53a9149775884a655b456895c865b48c04f83767865"
            + "a3c5628543529f8275",
        "NEAREST 6 6 1 6 2 3df46219873eac63d188f6ad",
        "BILINEAR 6 6 1 6 2 4ca5716a764f9b748079a59e",
        "AREA 6 6 1 6 2 3d9f626e873eac637c88a1ad",
        "BICUBIC 6 6 1 6 2 4ca5716f774e9c737b79a09e"};
    /** Of 5 x 6 floats, to 3 x 4. */
    private static final String[] PILLOW_FLOATS = {
        "NEAREST 0.0 -2.5 -3.75 -6.25 7.0 22.5 22.75 8.25 14.0 103.5 133.25 162.75",
        "BILINEAR 1.3928571939468384 0.03968248888850212 -3.4682538509368896 -8.928571701049805 11.427083015441895 23.54320907592"
            + "7734 26.151235580444336 19.10069465637207 27.41964340209961 75.29364776611328 106.96825408935547 120.61607360839844",
        "AREA 1.6875 0.25 -4.3125 -11.375 12.125 22.5 20.375 8.25 31.3125 79.75 106.3125 115.375",
        "BICUBIC 0.9788897633552551 -1.2023206949234009 -5.741241455078125 -11.714438438415527 10.472819328308105 22.516130447387"
            + "695 23.993209838867188 14.603553771972656 25.12514305114746 76.84251403808594 112.66712951660156 125.31055450439453"};

    private static byte[] pixels(int height, int width, int channels) {
        byte[] pixels = new byte[height * width * channels];
        for (int y = 0, at = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                for (int c = 0; c < channels; c++) {
                    pixels[at++] = (byte) (y * 37 + x * 61 + c * 101 + x * y * c % 7 * 20);
                }
            }
        }
        return pixels;
    }

    @Test
    void bytesAreWithinAStepOfPillows() {
        for (String line : PILLOW) {
            String[] words = line.split(" ");
            int[] sizes = new int[5];
            for (int n = 0; n < 5; n++) {
                sizes[n] = Integer.parseInt(words[n + 1]);
            }
            ByteTensorData image = ByteTensorData.of(pixels(sizes[0], sizes[1], sizes[2]), sizes[0], sizes[1], sizes[2]);
            try (Tensor<UInt8> resized = Images.resize(image, sizes[3], sizes[4], Resampling.valueOf(words[0]))) {
                byte[] found = new byte[sizes[3] * sizes[4] * sizes[2]];
                resized.uInt8Data().copyTo(found);
                for (int n = 0; n < found.length; n++) {
                    int expected = Integer.parseInt(words[6].substring(2 * n, 2 * n + 2), 16);
                    int place = n;
                    // A step of a colour that was multiplied by its alpha is more of the colour itself.
                    int alpha = sizes[2] == 4 && n % 4 < 3 ? Integer.parseInt(words[6].substring(2 * (n | 3), 2 * (n | 3) + 2), 16) : 255;
                    double step = alpha == 255 ? 1 : 2 + 2 * 255. / Math.max(1, alpha);
                    assertEquals(expected, found[n] & 0xff, step, () -> line.substring(0, 24) + " at " + place);
                }
            }
        }
    }

    @Test
    void floatsArePillows() {
        float[] values = new float[30];
        for (int n = 0; n < 30; n++) {
            int y = n / 6;
            int x = n % 6;
            values[n] = (y * 3.5f - x * 1.25f) * (1 + x * y);
        }
        for (String line : PILLOW_FLOATS) {
            String[] words = line.split(" ");
            try (Tensor<Float> resized = Images.resize(FloatTensorData.of(values, 5, 6, 1), 3, 4, Resampling.valueOf(words[0]))) {
                for (int n = 0; n < 12; n++) {
                    assertEquals(Float.parseFloat(words[n + 1]), resized.floatData().get(n / 4, n % 4, 0), 1e-4f, line);
                }
            }
        }
    }

    @Test
    void whatIsOfOneColourStaysSoAndViewsAreReadAsTheyAre() {
        ByteTensorData one = ByteTensorData.of(pixels(6, 7, 3), 6, 7, 3).slice(io.tensornio.TensorIndex.range(2, 3)).broadcastTo(6, 7, 3);
        ByteTensorData view = ByteTensorData.of(pixels(6, 7, 3), 6, 7, 3).flip(0).permute(1, 0, 2);
        for (Resampling how : Resampling.values()) {
            try (Tensor<UInt8> resized = Images.resize(one, 11, 7, how);
                Tensor<UInt8> ofView = Images.resize(view, 3, 4, how);
                Tensor<UInt8> ofCopy = Images.resize(view.copy().uInt8Data(), 3, 4, how)) {
                for (int y = 1; y < 11; y++) {
                    assertEquals(resized.uInt8Data().slice(0), resized.uInt8Data().slice(y), how.toString());
                }
                assertEquals(ofCopy.uInt8Data(), ofView.uInt8Data());
            }
        }
    }

    /** A transparent red pixel beside an opaque blue one gives no red. */
    @Test
    void coloursCountByTheirAlpha() {
        ByteTensorData two = ByteTensorData.of(new byte[] {(byte) 255, 0, 0, 0, 0, 0, (byte) 255, (byte) 255}, 1, 2, 4);
        try (Tensor<UInt8> one = Images.resize(two, 1, 1, Resampling.AREA)) {
            assertEquals("UINT8[4] [  0,   0, 255, 128]", one.uInt8Data().slice(0, 0).toString());
        }
    }

    @Test
    void otherShapesAndSizesAreRefused() {
        ByteTensorData matrix = ByteTensorData.of(new byte[6], 2, 3);
        ByteTensorData image = ByteTensorData.of(new byte[6], 2, 1, 3);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Images.resize(matrix, 1, 1, Resampling.AREA)).getMessage().contains("[2, 3]"));
        for (int size : new int[] {0, -1}) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> Images.resize(image, size, 1, Resampling.AREA)).getMessage()
                .contains(size + " x 1"));
            assertThrows(IllegalArgumentException.class, () -> Images.resize(image, 1, size, Resampling.AREA));
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Images.resize(image, 1 << 20, 1 << 20, Resampling.AREA)).getMessage()
            .contains("2^31"));
        assertThrows(NullPointerException.class, () -> Images.resize(image, 1, 1, null));
    }
}
