"""The worked notebook runs from top to bottom, and prints what it is about."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


def printed_in(notebook):
    """What the cells print, and what an answer shows of itself without its picture."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output.get("data", {}) for output in outputs]
    assert any("<svg" in one.get("text/html", "") for one in shown)
    texts = [output.get("text", "") for output in outputs]
    return "".join([*texts, *(one.get("text/plain", "") for one in shown)])


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_executes(path):
    notebook = nbformat.read(path, as_version=4)
    stored = printed_in(notebook)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent.parent)}}).execute()
    printed = printed_in(notebook)
    assert printed == stored, "the stored outputs are those of a run"
    assert "least lam =  148, the paper's 5069" in printed
    assert printed.count("True ") == 7
    assert "repaired tester, the same point" in printed


def test_there_is_a_notebook():
    assert NOTEBOOKS
