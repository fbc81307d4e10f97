"""Writes bi-encoder-models.json beside it: tiny ONNX models in base64, each wrong in one way. For bi-encoder.test.ts.

From the root: python test/workers/retrieval/dense/bi-encoder-models.py (packages: workers/models/training/requirements.txt)
"""

import base64
import json
from pathlib import Path

import numpy
from onnx import TensorProto, checker, helper, numpy_helper


def main() -> None:
    models = {
        "ofThreeDimensions": model(dimensions=3),
        "notFiniteAbove40Tokens": model(limit=40),
        "ofOneRow": model(rows=1),
        "withAnotherInput": model(names=["input_ids", "attention_mask", "position_ids"]),
    }
    encoded = {name: base64.b64encode(made.SerializeToString()).decode() for name, made in models.items()}
    Path(__file__).with_suffix(".json").write_text(json.dumps(encoded, indent=2) + "\n")


def model(names=("input_ids", "attention_mask"), rows="batch", dimensions=384, limit=10**6):
    """Gives the same row for each text of less than `limit` tokens, and 0 / 0 for longer ones."""
    nodes = [
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["mask", "axis"], ["length"], keepdims=1),
        helper.make_node("Sub", ["limit", "length"], ["left"]),
        helper.make_node("Relu", ["left"], ["room"]),
        helper.make_node("Div", ["room", "room"], ["one"]),
        helper.make_node("Expand", ["one", "shape"], ["embeddings"]),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [rows, "tokens"]) for name in names]
    output = helper.make_tensor_value_info("embeddings", TensorProto.FLOAT, [rows, dimensions])
    constants = [
        numpy_helper.from_array(numpy.array([1]), "axis"),
        numpy_helper.from_array(numpy.array([limit], numpy.float32), "limit"),
        numpy_helper.from_array(numpy.array([1, dimensions]), "shape"),
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(made)
    return made


if __name__ == "__main__":
    main()
