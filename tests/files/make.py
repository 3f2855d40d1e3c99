"""Writes npy.txt and others.txt: a line for each file that Python writes, its name and its bytes in base64. Needs NumPy 2, scipy and safetensors."""
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

# Files of several arrays, by NumPy, scipy and safetensors: others.txt.
import safetensors.numpy
import scipy.sparse

arrays = {'x': values.astype('f4'), 'u': numpy.array([0, 65535], 'u2'), 'b': numpy.array([True, False, True]), 'half': numpy.array([0.5, -2], 'f2'),
          'i8': numpy.array([-128, 127], 'i1'), 'scalar': numpy.array(7, 'i8'), 'big': numpy.array([2 ** 64 - 1], 'u8')}


def saved(save, *args, **named):
    out = io.BytesIO()
    save(out, *args, **named)
    return base64.b64encode(out.getvalue()).decode()


dense = numpy.array([[0, 1.5, 0], [2, 0, -3]])
coo = scipy.sparse.coo_array((numpy.array([1, 2, 3], 'f4'), (numpy.array([1, 0, 1]), numpy.array([2, 0, 2]))), (2, 3))    # 1 + 3 at (1, 2)
csr64 = scipy.sparse.csr_array(dense)
csr64.indices, csr64.indptr = csr64.indices.astype('i8'), csr64.indptr.astype('i8')
with open('others.txt', 'w') as lines:
    print('npz', saved(numpy.savez, **arrays), file=lines)
    print('compressed', saved(numpy.savez_compressed, **arrays), file=lines)
    print('csr', saved(scipy.sparse.save_npz, scipy.sparse.csr_array(dense)), file=lines)
    print('csr64', saved(scipy.sparse.save_npz, csr64, compressed=False), file=lines)
    print('coo', saved(scipy.sparse.save_npz, coo), file=lines)
    print('safetensors', base64.b64encode(safetensors.numpy.save(arrays, {'format': 'np'})).decode(), file=lines)
