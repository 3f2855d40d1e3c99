package io.tensornio.images;

/** The colours of {@link Images#heatmap}, 256 each. */
public enum Colormap {
    /** From dark blue to yellow, equally bright for who sees no red or no green; as Matplotlib has it (Smith and van der Walt, 2015, CC0). */
    VIRIDIS("44015444025544035745055845065a45085b46095c460b5e460c5f460e61470f6247116347126547146647156747166947186a48196b481a6c481c6e481d6f48"
        + "1e70482071482172482273482374472575472676472777472878472a79472b7a472c7b462d7c462f7c46307d46317e45327f45347f4535804536814437814439"
        + "82433a83433b83433c84423d84423e854240854141864142864043874044873f45873f47883e48883e49893d4a893d4b893d4c893c4d8a3c4e8a3b508a3b518a"
        + "3a528b3a538b39548b39558b38568b38578c37588c37598c365a8c365b8c355c8c355d8c345e8d345f8d33608d33618d32628d32638d31648d31658d31668d30"
        + "678d30688d2f698d2f6a8d2e6b8e2e6c8e2e6d8e2d6e8e2d6f8e2c708e2c718e2c728e2b738e2b748e2a758e2a768e2a778e29788e29798e287a8e287a8e287b"
        + "8e277c8e277d8e277e8e267f8e26808e26818e25828e25838d24848d24858d24868d23878d23888d23898d22898d228a8d228b8d218c8d218d8c218e8c208f8c"
        + "20908c20918c1f928c1f938b1f948b1f958b1f968b1e978a1e988a1e998a1e998a1e9a891e9b891e9c891e9d881e9e881e9f881ea0871fa1871fa2861fa38620"
        + "a48520a58521a68521a78422a78423a88323a98224aa8225ab8126ac8127ad8028ae7f29af7f2ab07e2bb17d2cb17d2eb27c2fb37b30b47a32b57a33b67935b7"
        + "7836b87738b97639b9763bba753dbb743ebc7340bd7242be7144be7045bf6f47c06e49c16d4bc26c4dc26b4fc36951c46853c56755c66657c66559c7645bc862"
        + "5ec96160c96062ca5f64cb5d67cc5c69cc5b6bcd596dce5870ce5672cf5574d05477d05279d1517cd24f7ed24e81d34c83d34b86d44988d5478bd5468dd64490"
        + "d64392d74195d73f97d83e9ad83c9dd93a9fd938a2da37a5da35a7db33aadb32addc30afdc2eb2dd2cb5dd2bb7dd29bade27bdde26bfdf24c2df22c5df21c7e0"
        + "1fcae01ecde01dcfe11cd2e11bd4e11ad7e219dae218dce218dfe318e1e318e4e318e7e419e9e419ece41aeee51bf1e51cf3e51ef6e61ff8e621fae622fde724"),
    /** From black to white. */
    GRAY(null),
    /** From blue by grey to red, for what is below and above a middle (Moreland, 2009), as Matplotlib has it. */
    COOLWARM("3a4cc03b4dc13c4fc33e51c43f53c64054c74156c94258ca435acc455bcd465dcf475fd04860d14962d34b64d44c66d64d67d74e69d8506bda516cdb526edc53"
        + "70dd5571de5673e05775e15876e25a78e35b79e45c7be55d7de65f7ee76080e86182ea6383ea6485eb6586ec6788ed6889ee698bef6b8df06c8ef16d90f16f91"
        + "f27093f37194f47395f47497f57598f6779af6789bf77a9df87b9ef87ca0f97ea1f97fa2fa80a4fa82a5fb83a6fb85a8fb86a9fc87aafc89acfc8aadfd8baefd"
        + "8daffd8eb1fd90b2fe91b3fe92b4fe94b5fe95b7fe97b8fe98b9fe99bafe9bbbfe9cbcfe9dbdfe9fbefea0bffea2c0fea3c1fea4c2fea6c3fda7c4fda8c5fdaa"
        + "c6fdabc7fcacc8fcaec9fcafcafbb0cbfbb2cbfbb3ccfab4cdfab6cef9b7cff9b8cff8b9d0f8bbd1f7bcd1f6bdd2f6bed3f5c0d3f5c1d4f4c2d4f3c3d5f2c5d5"
        + "f2c6d6f1c7d6f0c8d7efc9d7eecad8eeccd8edcdd9ecced9ebcfd9ead0dae9d1dae8d2dae7d3dbe6d5dbe5d6dbe4d7dbe2d8dbe1d9dce0dadcdfdbdcdedcdcdd"
        + "dddcdbdedbdadfdbd9e0dad7e1dad6e2d9d4e3d9d3e4d8d1e5d8d0e6d7cfe7d6cde7d6cce8d5cae9d4c9ead3c7ebd3c6ecd2c4ecd1c3edd0c1edcfc0eecfbeef"
        + "cebcefcdbbf0ccb9f1cbb8f1cab6f2c9b5f2c8b3f2c7b2f3c6b0f3c5aff4c4adf4c3abf4c2aaf5c1a8f5c0a7f5bfa5f6bda4f6bca2f6bba0f6ba9ff6b99df6b7"
        + "9cf6b69af7b598f7b397f7b295f7b194f7b092f7ae91f7ad8ff6ab8df6aa8cf6a98af6a789f6a687f6a486f6a384f5a182f5a081f59e7ff49d7ef49b7cf49a7b"
        + "f39879f39678f39576f29375f29173f19072f18e70f08d6ff08b6def896cee876aee8669ed8467ec8266ec8064eb7f63ea7d61ea7b60e9795ee8775de7755ce6"
        + "745ae67259e57057e46e56e36c54e26a53e16852e06650df644fde624edd604cdc5e4bdb5c4ada5a48d95847d85646d75444d65243d44f42d34d40d24b3fd149"
        + "3ecf463dce443ccd423acc3f39ca3d38c93b37c83835c63534c53233c43032c22d31c12a30bf282ebe232dbc1f2cbb1a2bb9162ab81129b60d28b50827b30326");

    /** How many colours there are. */
    static final int COLORS = 256;

    private final byte[] colors = new byte[3 * 256];

    Colormap(String hex) {
        for (int n = 0; n < colors.length; n++) {
            colors[n] = (byte) (hex == null ? n / 3 : Integer.parseInt(hex.substring(2 * n, 2 * n + 2), 16));
        }
    }

    /** Writes a colour, red first, and an alpha of 255. */
    void put(int color, byte[] pixels, int at) {
        System.arraycopy(colors, 3 * color, pixels, at, 3);
        pixels[at + 3] = (byte) 255;
    }
}
