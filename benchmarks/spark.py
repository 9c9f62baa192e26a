"""Spark MLlib on the files of `benchmarks.cluster`, in an environment of its own with pyspark.

    python -c "from benchmarks.cluster import write_files; write_files('FOLDER')"
    PYSPARK_ENVIRONMENT/bin/python benchmarks/spark.py FOLDER [THREADS]

Prints the seconds of each fit from files to model, in turn three times: the first ones compile.
"""

import sys
import time

from pyspark.ml import Pipeline
from pyspark.ml.classification import LinearSVC, LogisticRegression, NaiveBayes
from pyspark.ml.feature import Binarizer, VectorAssembler
from pyspark.sql import SparkSession

TURNS = 3


def main(folder: str, n_threads: str = "2") -> None:
    builder = SparkSession.builder.master(f"local[{n_threads}]").config(
        "spark.ui.showConsoleProgress", False
    )
    spark = builder.config("spark.driver.memory", "8g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    columns = [name for name in spark.read.parquet(folder).columns if name != "label"]
    rows = VectorAssembler(inputCols=columns, outputCol="features")
    signs = Binarizer(inputCol="features", outputCol="signs")
    stages = {
        "Bernoulli naive Bayes": [
            *(rows, signs),
            NaiveBayes(modelType="bernoulli", featuresCol="signs"),
        ],
        "Gaussian naive Bayes": [rows, NaiveBayes(modelType="gaussian")],
        "logistic regression, 10 iterations": [rows, LogisticRegression(maxIter=10)],
        "linear SVC, 10 iterations": [rows, LinearSVC(maxIter=10)],
    }
    for _ in range(TURNS):
        for name, chosen in stages.items():
            start = time.perf_counter()
            Pipeline(stages=chosen).fit(spark.read.parquet(folder))
            print(f"{name:<36} {time.perf_counter() - start:8.2f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
