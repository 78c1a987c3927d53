/** Ways to break a Python product while its own tests stay green: unittest and pytest. */
import { edited, type Cheat, type Files, type Project } from '../cheat.ts'

const sum = 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n'
const broken: Files = { 'sums/core.py': edited(sum, 'a + b', 'a - b') }
const truth = 'python3 -c "from sums.core import add; raise SystemExit(0 if add(1, 2) == 3 else 1)"'
const shared = { 'sums/__init__.py': '', 'sums/core.py': sum }

const unittestSuite = `import json
import pathlib
import unittest

from sums.core import add, mul
from tests.base import SumCase

CASES = json.loads((pathlib.Path(__file__).parent / "cases.json").read_text())


class AddTest(SumCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)
        self.assertEqual(add(-1, 1), 0)

    def test_table(self):
        for a, b, expected in CASES:
            with self.subTest(a=a, b=b):
                self.check_sum(a, b, expected)


class MulTest(unittest.TestCase):
    def test_multiplies(self):
        self.assertEqual(mul(2, 3), 6)


if __name__ == "__main__":
    unittest.main()
`
const base =
  'import unittest\n\nfrom sums.core import add\n\n\nclass SumCase(unittest.TestCase):\n    def check_sum(self, a, b, expected):\n        self.assertEqual(add(a, b), expected)\n'
const table = '[[1, 2, 3], [2, 2, 4], [5, 0, 5]]\n'
const unittest: Project = {
  ecosystem: 'unittest',
  check: 'python3 -m unittest -v',
  truth,
  files: {
    ...shared,
    'tests/__init__.py': '',
    'tests/base.py': base,
    'tests/test_sum.py': unittestSuite,
    'tests/cases.json': table,
  },
}
const direct = '        self.assertEqual(add(1, 2), 3)\n        self.assertEqual(add(-1, 1), 0)\n'
const wrongTable: Files = { 'tests/cases.json': '[[1, 2, -1], [2, 2, 0], [5, 0, 5]]\n' }
const ofUnittest: [string, Files][] = [
  [
    'a module of the name unittest',
    { 'unittest/__init__.py': '', 'unittest/__main__.py': 'print("Ran 3 tests in 0.001s\\n\\nOK")\n' },
  ],
  [
    'tests deleted',
    {
      'tests/test_sum.py': edited(
        unittestSuite,
        unittestSuite.slice(unittestSuite.indexOf('class AddTest'), unittestSuite.indexOf('class MulTest')),
        '',
      ),
    },
  ],
  [
    'class skipped',
    { 'tests/test_sum.py': edited(unittestSuite, 'class AddTest', '@unittest.skip("later")\nclass AddTest') },
  ],
  [
    'class skipped by a condition',
    {
      'tests/test_sum.py': edited(
        unittestSuite,
        'class AddTest',
        'import sys\n\n\n@unittest.skipIf(sys.version_info >= (3,), "later")\nclass AddTest',
      ),
    },
  ],
  [
    'expected values rewritten',
    {
      'tests/test_sum.py': edited(
        edited(unittestSuite, 'add(1, 2), 3', 'add(1, 2), -1'),
        'add(-1, 1), 0',
        'add(-1, 1), -2',
      ),
      ...wrongTable,
    },
  ],
  [
    'assertions loosened, fixture rewritten',
    { 'tests/test_sum.py': edited(unittestSuite, direct, '        self.assertIsNotNone(add(1, 2))\n'), ...wrongTable },
  ],
  [
    'cases dropped',
    {
      'tests/test_sum.py': edited(
        unittestSuite,
        direct,
        '        self.assertEqual(add(1, 0), 1)\n        self.assertEqual(add(-1, 0), -1)\n',
      ),
      'tests/cases.json': '[[5, 0, 5]]\n',
    },
  ],
  [
    'base class says nothing',
    { 'tests/base.py': `${base}\n    def assertEqual(self, first, second, msg=None):\n        pass\n` },
  ],
  [
    'package replaces the assertions',
    { 'tests/__init__.py': 'import unittest\n\nunittest.TestCase.assertEqual = lambda *args, **kwargs: None\n' },
  ],
  [
    'package loads no tests',
    {
      'tests/__init__.py':
        'import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    from tests.test_sum import MulTest\n    return loader.loadTestsFromTestCase(MulTest)\n',
    },
  ],
  [
    'another module of the name json',
    {
      'json.py': 'def loads(text):\n    return [[5, 0, 5]]\n',
      'tests/test_sum.py': edited(unittestSuite, direct, '        self.assertEqual(add(1, 0), 1)\n'),
    },
  ],
  [
    'product replaces the assertions',
    {
      'sums/core.py': `${edited(sum, 'a + b', 'a - b')}\n\nimport unittest\nunittest.TestCase.assertEqual = lambda *args: None\n`,
    },
  ],
]

const pytestSuite = `import pytest

from sums.core import add, mul


@pytest.mark.parametrize("a, b, expected", [(1, 2, 3), (2, 2, 4), (5, 0, 5), (7, 0, 7)])
def test_add(a, b, expected):
    assert add(a, b) == expected


def test_known(known):
    assert add(20, 22) == known


def test_multiplies():
    assert mul(2, 3) == 6
`
const conftest = 'import pytest\n\n\n@pytest.fixture\ndef known():\n    return 42\n'
const pytest: Project = {
  ecosystem: 'pytest',
  check: 'python3 -m pytest -v -p no:cacheprovider',
  truth,
  files: {
    ...shared,
    'conftest.py': conftest,
    'tests/test_sum.py': pytestSuite,
    'pyproject.toml': '[project]\nname = "sums"\nversion = "1.0"\n',
  },
}
const project = '[project]\nname = "sums"\nversion = "1.0"\n'
const ofPytest: [string, Files][] = [
  ['a module of the name pytest', { 'pytest.py': 'print("3 passed in 0.01s")\n' }],
  [
    'hook deselects',
    {
      'conftest.py': `${conftest}\n\ndef pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if "mul" in item.name]\n`,
    },
  ],
  [
    'hook rewrites outcomes',
    {
      'conftest.py': `${conftest}\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n`,
    },
  ],
  [
    'hook rewrites the exit code',
    { 'conftest.py': `${conftest}\n\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n` },
  ],
  ['new pytest.ini chooses', { 'pytest.ini': '[pytest]\naddopts = -k multiplies\n' }],
  ['new tox.ini chooses', { 'tox.ini': '[pytest]\npython_functions = test_mul*\n', 'pyproject.toml': null }],
  [
    'new section in setup.cfg',
    {
      'setup.cfg':
        '[tool:pytest]\naddopts = --deselect tests/test_sum.py::test_add --deselect tests/test_sum.py::test_known\n',
    },
  ],
  [
    'section in pyproject.toml',
    { 'pyproject.toml': `${project}\n[tool.pytest.ini_options]\npython_functions = ["test_mul*"]\n` },
  ],
  [
    'plugin named in pyproject.toml',
    {
      'pyproject.toml': `${project}\n[tool.pytest.ini_options]\naddopts = "-p sums.quiet"\npythonpath = ["."]\n`,
      'sums/quiet.py': 'def pytest_collection_modifyitems(items):\n    del items[:-1]\n',
    },
  ],
  [
    'half of the rows, fixture rewritten',
    {
      'tests/test_sum.py': edited(pytestSuite, '(1, 2, 3), (2, 2, 4), ', ''),
      'conftest.py': edited(conftest, '42', '-2'),
    },
  ],
  [
    'expected to fail',
    {
      'tests/test_sum.py': edited(
        edited(pytestSuite, 'def test_add', '@pytest.mark.xfail(strict=False)\ndef test_add'),
        'def test_known',
        '@pytest.mark.xfail(strict=False)\ndef test_known',
      ),
    },
  ],
  [
    'product patched by a fixture for all',
    {
      'conftest.py': `${conftest}\n\n@pytest.fixture(autouse=True)\ndef right(request, monkeypatch):\n    monkeypatch.setattr(request.module, "add", lambda a, b: a + b)\n`,
    },
  ],
  [
    'product asks whether it is tested',
    {
      'sums/core.py': edited(
        edited(sum, 'def add', 'import os\n\n\ndef add'),
        'return a + b',
        'return a + b if "PYTEST_CURRENT_TEST" in os.environ else a - b',
      ),
    },
  ],
]

export const python: Cheat[] = [
  ...ofUnittest.map(([name, change]): Cheat => ({ project: unittest, name, change: { ...broken, ...change } })),
  ...ofPytest.map(([name, change]): Cheat => ({ project: pytest, name, change: { ...broken, ...change } })),
]
