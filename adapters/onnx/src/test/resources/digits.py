"""Trains the classifier of digits that the tests, the page and the demo run, and writes it as a model: digits.onnx.

Needs scikit-learn 1.5 and skl2onnx 1.17. The data is scikit-learn's own."""
import numpy
from skl2onnx import to_onnx
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

x, y = load_digits(return_X_y=True)
x = x.astype(numpy.float32)
model = MLPClassifier((32,), random_state=0, max_iter=300).fit(x[:1347], y[:1347])
print('right of the last 450:', (model.predict(x[1347:]) == y[1347:]).sum())
exported = to_onnx(model, x[:1], options={'zipmap': False}, target_opset={'': 18, 'ai.onnx.ml': 3})
with open('digits.onnx', 'wb') as out:
    out.write(exported.SerializeToString())
