"""Models that leave: for scikit-learn, as JSON, as ONNX."""
