"""Metrics against their definitions, written as slow loops."""

import itertools

import numpy as np
import pytest

import cupel
from cupel import metrics

RANDOM = np.random.default_rng(3)


def pairs_won(positives, negatives):
    won = sum((p > n) + 0.5 * (p == n) for p, n in itertools.product(positives, negatives))
    return won / (len(positives) * len(negatives))


def test_accuracy_and_macro_f1():
    scores, labels = RANDOM.normal(size=(200, 4)), RANDOM.integers(0, 4, 200)
    said = scores.argmax(1)
    assert metrics.accuracy(scores, labels) == pytest.approx(np.mean(said == labels))
    f1 = []
    for c in range(4):
        hits = np.sum((said == c) & (labels == c))
        f1.append(2 * hits / (np.sum(said == c) + np.sum(labels == c)))
    assert metrics.macro_f1(scores, labels) == pytest.approx(np.mean(f1))


def test_roc_auc_with_ties():
    scores = RANDOM.integers(0, 5, 60).astype(float)
    labels = RANDOM.integers(0, 2, 60)
    expected = pairs_won(scores[labels == 1], scores[labels == 0])
    assert metrics.roc_auc(scores, labels) == pytest.approx(expected)
    assert metrics.roc_auc(positives=scores[labels == 1], negatives=scores[labels == 0]) == \
        pytest.approx(expected)
    assert metrics.score("roc-auc", scores, labels) == pytest.approx(expected)


def test_average_precision():
    scores, labels = RANDOM.normal(size=50), RANDOM.integers(0, 2, 50)
    order = np.argsort(-scores)
    found = np.cumsum(labels[order])
    precision = found / np.arange(1, 51)
    expected = np.sum(precision * labels[order]) / labels.sum()
    assert metrics.average_precision(
        positives=scores[labels == 1], negatives=scores[labels == 0]) == pytest.approx(expected)


def test_tasks_leave_out_what_is_not_known():
    scores = RANDOM.normal(size=(40, 2))
    answers = RANDOM.integers(0, 2, (40, 2)).astype(float)
    answers[:10, 1] = np.nan
    expected = np.mean([pairs_won(scores[answers[:, t] == 1, t], scores[answers[:, t] == 0, t])
                        for t in range(2)])
    assert metrics.roc_auc(scores, answers) == pytest.approx(expected)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("ties, half", [("mean", 0.5), ("optimistic", 0), ("pessimistic", 1)])
def test_ranks(shared, ties, half):
    positives = RANDOM.integers(0, 6, 30).astype(float)
    candidates = RANDOM.integers(0, 6, 20 if shared else (30, 20)).astype(float)
    ranks = []
    for i, score in enumerate(positives):
        row = candidates if shared else candidates[i]
        ranks.append(1 + np.sum(row > score) + half * np.sum(row == score))
    given = {"positives": positives, "candidates": candidates, "ties": ties}
    assert metrics.mrr(**given) == pytest.approx(np.mean(1 / np.array(ranks)))
    assert metrics.score("mrr:ties=" + ties, positives=positives, candidates=candidates) == \
        pytest.approx(metrics.mrr(**given))


def test_hits():
    positives, candidates = RANDOM.normal(size=40), RANDOM.normal(size=100)
    threshold = np.sort(candidates)[-10]
    assert metrics.hits(positives=positives, candidates=candidates, k=10) == pytest.approx(
        np.mean(positives > threshold))


CLOSE = np.array([1 - 2e-9, 1 - 1e-9])  # one number in float32


def test_doubles_keep_their_order():
    assert metrics.roc_auc(CLOSE, [0, 1]) == 1 and metrics.roc_auc(CLOSE, [1, 0]) == 0
    assert metrics.roc_auc(-CLOSE, [0, 1]) == 0
    assert metrics.roc_auc([2**24, 2**24 + 1], [0, 1]) == 1
    assert metrics.roc_auc([-2**63, 2**53 + 1, 2**53 + 2], [0, 0, 1]) == 1
    assert metrics.roc_auc(positives=CLOSE[1:], negatives=CLOSE[:1]) == 1
    assert metrics.mrr(positives=CLOSE[:1], candidates=CLOSE[1:]) == 0.5
    assert metrics.mrr(positives=CLOSE[1:], candidates=[CLOSE[:1]]) == 1
    assert metrics.accuracy([CLOSE, CLOSE[::-1]], [1, 0]) == 1
    assert metrics.accuracy([[0.3, 0.3 + 1e-16, 0.3 + 1e-16]], [1]) == 1  # the first of ties
    assert metrics.roc_auc([[-CLOSE[0], 0.5], [-CLOSE[1], 0.5]], [[0, 0], [1, 1]]) == 0.25
    assert metrics.accuracy([1e-300, 0, -1e-300], [1, 0, 0]) == 1  # their signs, too
    # What is rounded is held against thresholds, and is not moved across them.
    assert metrics.precision(positives=[0.5], negatives=[0.5 - 1e-9, 0.7]) == 0
    assert metrics.score("recall:threshold=0.5", positives=[0.5, 0.5 - 1e-9], negatives=[1]) == 0
    many = 1 - RANDOM.random(300) * 1e-8
    labels = RANDOM.integers(0, 2, 300)
    assert metrics.roc_auc(many, labels) == \
        pytest.approx(pairs_won(many[labels == 1], many[labels == 0]))
    # What float32 holds is ranked as it stands, ties among it, whatever its type.
    tied = np.round(RANDOM.normal(size=300), 1).astype(np.float32)
    assert metrics.roc_auc(tied, labels) == metrics.roc_auc(tied.astype(np.float64), labels)


def test_roc_auc_of_rows_ranks_them_against_each_other():
    assert metrics.roc_auc([[0.5, 0.5 + 1e-12], [0, 1e-8]], [0, 1]) == 1
    p = 0.5 + RANDOM.normal(size=300) * 1e-7
    labels = RANDOM.integers(0, 2, 300)
    rows = np.stack([1 - p, p], axis=1)
    margins = rows[:, 1] - rows[:, 0]
    expected = pairs_won(margins[labels == 1], margins[labels == 0])
    assert metrics.roc_auc(rows, labels) == pytest.approx(expected, abs=1e-12)
    second = pairs_won(p[labels == 1], p[labels == 0])
    assert metrics.roc_auc_column(rows, labels) == pytest.approx(second, abs=1e-12)
    assert metrics.roc_auc_columns(rows, labels) == pytest.approx(second, abs=1e-12)
    # The margin of what float32 holds may be beyond it.
    assert metrics.roc_auc(np.float32([[3e38, -3e38], [-3e38, 3e38]]), [0, 1]) == 1


def test_one_column_says_yes_above_0():
    assert metrics.accuracy([0.1, 0.9], [0, 1]) == 0.5
    assert metrics.accuracy([[0.1, -0.1], [-0.1, 0.9]], [[0, 0], [0, 1]]) == 0.75


def test_what_counts_positives_stands_in_the_name():
    for name in ("average-precision", "auc-ap-mean"):
        full = f"{name}:positives=2"
        assert f'score("{full}"' in getattr(metrics, name.replace("-", "_")).__doc__
        assert metrics.score(full, positives=[0.9, 0.4], negatives=[0.5]) != \
            metrics.score(name, positives=[0.9, 0.4], negatives=[0.5])


def test_names_and_docs():
    assert "roc-auc" in metrics.names() and "accuracy" in metrics.accuracy.__doc__.lower() or \
        metrics.accuracy.__doc__
    for name in metrics.names():
        assert callable(getattr(metrics, name.replace("-", "_")))


@pytest.mark.parametrize("call, told", [
    (lambda: metrics.accuracy([[1.0, np.nan]], [0]), "row 0"),
    (lambda: metrics.accuracy([[1.0, 2.0]], [2]), "2"),
    (lambda: metrics.accuracy([[1.0, 2.0]], [-1]), "-1"),
    (lambda: metrics.accuracy([[1.0, 2.0]], [0, 1]), "1"),
    (lambda: metrics.accuracy([[1.0, 2.0]], [0.5]), "labels"),
    (lambda: metrics.accuracy([[1.0, 2.0]], [np.inf]), "labels: entry 0 is inf"),
    (lambda: metrics.roc_auc([[np.inf, np.inf], [0, 1]], [0, 1]), "row 0 is infinite"),
    (lambda: metrics.roc_auc([[0, 1e300], [0, 1]], [0, 1]), "differences of scores: 5e+299"),
    (lambda: metrics.accuracy([["a", "b"]], [0]), "scores"),
    (lambda: metrics.accuracy([[1.0, 2.0]]), "labels"),
    (lambda: metrics.roc_auc([1.0, 2.0], [1, 1]), "roc"),
    (lambda: metrics.roc_auc([[0.1], [0.9], [0.8]], [[0], [1], [-1]]), "row 2 to task 0 is -1"),
    (lambda: metrics.accuracy([[0.1, 0.2]], [[0.5, np.nan]]), "row 0 to task 0 is 0.5"),
    (lambda: metrics.mrr(positives=[1.0], candidates=[np.nan]), "NaN"),
    (lambda: metrics.mrr(positives=[1.0, 2.0], candidates=[[1.0]]), "candidates"),
    (lambda: metrics.mrr(positives=[1.0]), "candidates"),
    (lambda: metrics.mrr(positives=[1.0], candidates=[1.0], tise="mean"), "ties"),
    (lambda: metrics.score("hits@1", positives=[1.0], candidates=[2.0, 0.0], k=2), "'hits@1' has "
     "settings in its name, and k=2 beside it"),
    (lambda: metrics.score("mrr:ties=mean", positives=[1.0], candidates=[2.0], nonsense=3),
     "nonsense=3"),
    (lambda: metrics.score("roc-auc", [1.0, 2.0], [0, 1], negatives=[1.0], candidates=[2.0]),
     "given are candidates, labels, negatives, scores"),
    (lambda: metrics.roc_auc([1.0, 2.0], [0, 1], positives=[1.0], negatives=[2.0]),
     "given are labels, negatives, positives, scores"),
    (lambda: metrics.mrr(positives=[1.0], negatives=[2.0], candidates=[2.0]),
     "given are candidates, negatives, positives"),
    (lambda: metrics.mrr(), "positives and candidates"),
    (lambda: metrics.score(3, [[1.0, 2.0]], [0]), "name: 3 is no text"),
    (lambda: metrics.score("acuracy", [[1.0, 2.0]], [0]), "accuracy"),
])
def test_bad_scores(call, told):
    with pytest.raises(cupel.Error) as error:
        call()
    assert told.lower() in str(error.value).lower()
