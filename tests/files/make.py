"""Writes npy.txt: a line for each file that NumPy writes, its name and its bytes in base64. Needs NumPy 2."""
import base64
import io

import numpy
from numpy.lib import format


def written(array, version=None):
    out = io.BytesIO()
    format.write_array(out, array, version, allow_pickle=True)
    return base64.b64encode(out.getvalue()).decode()


values = numpy.arange(6).reshape(2, 3)
texts = numpy.array([['a', 'bc', ''], ['\u00e9\u00e9\u00e9', '\U0001f600', 'x y']])
with open('npy.txt', 'w') as lines:
    for dtype in '<f4 >f4 <f8 >f8 <i4 >i4 <i8 >i8 |u1 |b1 <U3 >U3 |S3'.split():
        source = texts if 'U' in dtype else numpy.array([[b'a', b'bc', b''], [b'\xff', b'def', b'x y']]) if 'S' in dtype else values
        source = source.astype(dtype)
        for order in 'CF':
            print(dtype, order, 1, written(numpy.asarray(source, order=order)), file=lines)
    for version in 2, 3:
        print('<f4', 'C', version, written(values.astype('<f4'), (version, 0)), file=lines)
    print('rank0', 'C', 1, written(numpy.array(2.5)), file=lines)
    print('empty', 'C', 1, written(numpy.zeros((2, 0, 3), 'f4')), file=lines)
    print('rank32', 'C', 1, written(numpy.array([7], 'i4').reshape((1,) * 32)), file=lines)
    print('nothing', 'C', 1, written(numpy.array([], 'U')), file=lines)
    # What is refused.
    for dtype in '<c16 |O |V4 |V2 <M8[s] <m8[s] <f2 |i1 <u8 >i2 <u2 <u4'.split():
        print('refused', dtype, 1, written(numpy.zeros(2, dtype)), file=lines)
    print('refused', 'record', 1, written(numpy.zeros(2, [('a', '<f4'), ('b', '|O')])), file=lines)
