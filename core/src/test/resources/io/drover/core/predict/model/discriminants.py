#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the fixtures of ReferenceScoresTest: cases, and the scores that scikit-learn gives them.

Made with scikit-learn 1.2.1 and numpy 1.24.2 (Debian 12: python3-sklearn). Run it in this folder.
Features are standardized and constants are left out first, as io.drover.core.predict.model.Basis
does; the classifiers themselves are scikit-learn's.
"""
import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression


def standard(x):
    deviation = x.std(axis=0)
    kept = deviation > 1e-12 * np.abs(x).max(axis=0)
    return (x[:, kept] - x[:, kept].mean(axis=0)) / deviation[kept]


def products(x):
    n = x.shape[1]
    pairs = [x[:, i] * x[:, j] for i in range(n) for j in range(i, n)]
    return np.column_stack([x] + pairs)


def scores(x, y):
    x = standard(x)
    expanded = standard(products(x))
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=1e-3).fit(x, y)
    elda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=1e-2).fit(expanded, y)
    qda = QuadraticDiscriminantAnalysis(reg_param=1e-2).fit(x, y)
    lr = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000, C=1.0).fit(x, y)
    return [
        lda.decision_function(x),
        elda.decision_function(expanded),
        qda.decision_function(x),
        lr.decision_function(x),
    ]


def write(name, x, y):
    columns = [x[:, j] for j in range(x.shape[1])] + [y] + scores(x, y)
    header = ["x%d" % j for j in range(x.shape[1])] + ["positive", "LDA", "ELDA", "QDA", "LR"]
    with open(name + ".csv", "w") as out:
        out.write(",".join(header) + "\n")
        for row in zip(*columns):
            out.write(",".join("%d" % v if v in (0, 1) else "%.17g" % v for v in row) + "\n")


random = np.random.default_rng(20261127)
n = 200
y = (random.random(n) < 0.3).astype(int)
x = random.normal(size=(n, 4)) * [1, 10, 0.1, 3] + [0, 100, -5, 2]
x[:, 0] += 1.5 * y
x[:, 3] *= 1 + y
write("plain", x, y)

x = random.lognormal(size=(n, 3), sigma=1.0)
x[:, 1] += y
x = np.column_stack([x, np.full(n, 7.5)])  # the same for all
write("skewed-with-a-constant", x, y)

y = (np.arange(n) % 25 == 0).astype(int)  # 8 of 200
x = random.normal(size=(n, 5))
x[:, 2] += 2 * y
write("few-positives", x, y)

x = random.normal(size=(n, 3))
x[:, 0] += y
x = np.column_stack([x, x[:, 0] + x[:, 1], x[:, 2]])  # a sum, and the same twice
write("collinear", x, y)
