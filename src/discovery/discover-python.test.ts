/** Projects of pytest, unittest, uv, poetry, tox and nox. */
import { caseOf, plainTest, testSkeletons, type Skeleton } from '../../test/kit/skeletons.ts'
import { describe } from 'vitest'

const skeletons: Skeleton[] = [
  {
    is: 'pytest.ini, pytest installed',
    files: { 'pytest.ini': '' },
    on: { modules: ['pytest'] },
    checks: ['python3 -m pytest'],
  },
  {
    is: 'pytest asked for and missing',
    files: { 'pytest.ini': '', 'test_a.py': plainTest },
    checks: ['python3 -m pytest'],
  },
  {
    is: 'unittest, pytest not installed',
    files: { 'setup.py': '', 'tests/test_a.py': caseOf },
    checks: ['python3 -m unittest discover -s tests'],
  },
  {
    is: 'unittest, pytest installed but not asked for',
    files: { 'pyproject.toml': '[project]\n', 'tests/__init__.py': '', 'tests/test_a.py': caseOf },
    on: { modules: ['pytest'] },
    checks: ['python3 -m unittest discover -s tests -t .'],
  },
  {
    is: 'test cases of unittest for pytest, which is missing',
    files: { 'tox.ini': '[pytest]\n', 'tests/test_a.py': caseOf },
    checks: ['python3 -m unittest discover -s tests'],
  },
  { is: 'a script with a test beside it', files: { 'a.py': '', 'test_a.py': caseOf }, checks: ['python3 -m unittest'] },
  {
    is: 'tests named _test.py',
    files: { 'setup.py': '', 'a_test.py': caseOf },
    checks: ["python3 -m unittest discover -p '*_test.py'"],
  },
  {
    is: 'uv',
    files: {
      'pyproject.toml': '[project]\ndependencies = ["x"]\n[tool.pytest.ini_options]\n',
      'uv.lock': '',
      'tests/test_a.py': plainTest,
    },
    setup: ['uv sync --frozen'],
    checks: ['uv run --frozen python -m pytest'],
  },
  {
    is: 'poetry with linters',
    files: {
      'pyproject.toml': '[tool.poetry]\n[tool.ruff]\n[tool.mypy]\n',
      'poetry.lock': '',
      'tests/test_a.py': plainTest,
    },
    setup: ['poetry install'],
    checks: ['poetry run python -m pytest'],
    proposed: ['poetry run python -m mypy .', 'poetry run python -m ruff check .'],
  },
  {
    is: 'requirements without a lock file',
    files: { 'requirements.txt': 'flask\npytest\n', 'tests/test_a.py': plainTest },
    setup: ['python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r requirements.txt pytest'],
    checks: ['.venv/bin/python -m pytest'],
  },
  {
    is: 'a package with dependencies',
    files: { 'pyproject.toml': '[project]\ndependencies = [\n "attrs",\n]\n', 'tests/test_a.py': caseOf },
    setup: ['python3 -m venv .venv && .venv/bin/python -m pip install --quiet -e .'],
    checks: ['.venv/bin/python -m unittest discover -s tests'],
  },
  {
    is: 'tox as the only runner here',
    files: { 'tox.ini': '[testenv]\ncommands = pytest\n', 'tests/test_a.py': plainTest },
    on: { programs: ['tox'] },
    checks: ['tox'],
  },
  {
    is: 'nox as the only runner here',
    files: { 'noxfile.py': 'session.run("pytest")', 'tests/test_a.py': plainTest },
    on: { programs: ['nox'] },
    checks: ['nox'],
  },
  { is: 'Python without tests', files: { 'pyproject.toml': '[project]\ndependencies = ["x"]\n' }, checks: [] },

  {
    is: 'a module at the root with tests in a folder, without a manifest',
    files: { 'calc.py': '', 'tests/test_calc.py': caseOf },
    checks: ['python3 -m unittest discover -s tests'],
  },
  {
    is: 'modules under src without dependencies',
    files: { 'pyproject.toml': '[project]\n', 'src/calc/__init__.py': '', 'tests/test_calc.py': caseOf },
    checks: ['PYTHONPATH=src python3 -m unittest discover -s tests'],
  },
  {
    is: 'a service in a folder with its own tests',
    files: { 'api/requirements.txt': 'pytest', 'api/tests/test_a.py': plainTest },
    setup: ['cd api && python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r requirements.txt pytest'],
    checks: ['cd api && .venv/bin/python -m pytest'],
  },
]

describe('discoverProject, Python', () => {
  testSkeletons(skeletons)
})
