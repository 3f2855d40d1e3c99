package io.tensornio.onnxruntime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes small ONNX models: the messages of onnx.proto, field by field. */
final class OnnxFile {
    static final int FLOAT = 1;
    static final int UINT8 = 2;
    static final int UINT16 = 4;
    static final int INT32 = 6;
    static final int INT64 = 7;
    static final int STRING = 8;
    static final int BOOL = 9;
    static final int DOUBLE = 11;
    static final int UINT32 = 12;
    static final int UINT64 = 13;

    /** A message under construction. */
    static final class Message {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                bytes.write((int) (rest & 0x7f | 0x80));
                rest >>>= 7;
            }
            bytes.write((int) rest);
        }

        Message number(int field, long value) {
            varint(field << 3);
            varint(value);
            return this;
        }

        Message bytes(int field, byte[] value) {
            varint(field << 3 | 2);
            varint(value.length);
            bytes.write(value, 0, value.length);
            return this;
        }

        Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int field, Message value) {
            return bytes(field, value.bytes.toByteArray());
        }

        byte[] toBytes() {
            return bytes.toByteArray();
        }
    }

    private final Message graph = new Message();

    /** The type of a tensor; a size of -1 is called {@code n}. */
    static Message tensor(int type, long... shape) {
        Message dims = new Message();
        for (long size : shape) {
            dims.message(1, size < 0 ? new Message().text(2, "n") : new Message().number(1, size));
        }
        return new Message().message(1, new Message().number(1, type).message(2, dims));
    }

    /** The type of a tensor whose rank nobody knows. */
    static Message anyTensor(int type) {
        return new Message().message(1, new Message().number(1, type));
    }

    static Message sequence(Message of) {
        return new Message().message(4, new Message().message(1, of));
    }

    static Message map(int keys, Message values) {
        return new Message().message(5, new Message().number(1, keys).message(2, values));
    }

    OnnxFile node(String domain, String operator, String[] inputs, String[] outputs, Message... attributes) {
        Message node = new Message();
        for (String input : inputs) {
            node.text(1, input);
        }
        for (String output : outputs) {
            node.text(2, output);
        }
        node.text(4, operator).text(7, domain);
        for (Message attribute : attributes) {
            node.message(5, attribute);
        }
        graph.message(1, node);
        return this;
    }

    OnnxFile node(String operator, String input, String output) {
        return node("", operator, new String[] {input}, new String[] {output});
    }

    static Message ints(String name, long... values) {
        Message made = new Message().text(1, name);
        for (long value : values) {
            made.number(8, value);
        }
        return made.number(20, 7);
    }

    static Message strings(String name, String... values) {
        Message made = new Message().text(1, name);
        for (String value : values) {
            made.text(9, value);
        }
        return made.number(20, 8);
    }

    OnnxFile input(String name, Message type) {
        graph.message(11, new Message().text(1, name).message(2, type));
        return this;
    }

    OnnxFile output(String name, Message type) {
        graph.message(12, new Message().text(1, name).message(2, type));
        return this;
    }

    Path write(Path folder, String name) {
        Message model = new Message().number(1, 8).message(7, graph.text(2, "g"))
            .message(8, new Message().text(1, "").number(2, 17)).message(8, new Message().text(1, "ai.onnx.ml").number(2, 3));
        try {
            return Files.write(folder.resolve(name + ".onnx"), model.toBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** One operator of one input `x` and one output `y` of a type. */
    static Path unary(Path folder, String operator, Message type) {
        return new OnnxFile().node(operator, "x", "y").input("x", type).output("y", type).write(folder, operator);
    }
}
