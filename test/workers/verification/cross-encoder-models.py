"""Writes cross-encoder-models.json beside it: tiny ONNX models in base64, each wrong in one way. For cross-encoder.test.ts.

From the root: python test/workers/verification/cross-encoder-models.py (packages: workers/models/training/requirements.txt)
"""

import base64
import json
from pathlib import Path

import numpy
from onnx import TensorProto, checker, helper, numpy_helper

NAMES = ["input_ids", "attention_mask", "token_type_ids"]


def main() -> None:
    models = {
        "withoutTypes": model(names=NAMES[:2]),
        "withAnotherInput": model(names=[*NAMES, "position_ids"]),
        "withFloatInputs": model(type=TensorProto.FLOAT),
        "ofTwoLogits": model(logits=[1, 2]),
        "ofOneRow": model(rows=1),
        "notFiniteAbove40Tokens": model(limit=40),
    }
    encoded = {name: base64.b64encode(made.SerializeToString()).decode() for name, made in models.items()}
    Path(__file__).with_suffix(".json").write_text(json.dumps(encoded, indent=2) + "\n")


def model(names=NAMES, type=TensorProto.INT64, rows="batch", logits=(1, 2, 3), limit=10**6):
    """Gives `logits` for each row of less than `limit` tokens, and 0 / 0 for longer ones."""
    nodes = [
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["mask", "axis"], ["length"], keepdims=1),
        helper.make_node("Sub", ["limit", "length"], ["left"]),
        helper.make_node("Relu", ["left"], ["room"]),
        helper.make_node("Div", ["room", "room"], ["one"]),
        helper.make_node("MatMul", ["one", "row"], ["logits"]),
    ]
    inputs = [helper.make_tensor_value_info(name, type, [rows, "tokens"]) for name in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [rows, len(logits)])
    constants = [
        numpy_helper.from_array(numpy.array([1]), "axis"),
        numpy_helper.from_array(numpy.array([limit], numpy.float32), "limit"),
        numpy_helper.from_array(numpy.array([logits], numpy.float32), "row"),
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(made)
    return made


if __name__ == "__main__":
    main()
