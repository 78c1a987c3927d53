import { expect, test } from 'vitest'
import { splitSetup } from './stored-lines.ts'

const cases: [setup: string[], stored: number][] = [
  [['npm ci'], 1],
  [['npm install --no-package-lock'], 1],
  [['pnpm install --frozen-lockfile'], 1],
  [['yarn'], 1],
  [['yarn install --immutable'], 1],
  [['bun install --frozen-lockfile'], 1],
  [['mix deps.get'], 1],
  [['composer install --no-interaction'], 1],
  [['cd packages/web && npm ci'], 1],
  [[' npm ci '], 1],
  [['npm ci', 'npm ci --prefix=docs', 'npm run build', 'npm ci'], 2],
  [['npm ci && npm run build'], 0],
  [['npm install -g'], 0],
  [['npm install --global'], 0],
  [['npm install --location=global'], 0],
  [['npm install left-pad'], 0],
  [['cd .. && npm ci'], 0],
  [['cd /srv && npm ci'], 0],
  [['cargo fetch'], 0],
  [['go mod download'], 0],
  [['bundle install'], 0],
  [['python3 -m venv .venv && .venv/bin/python -m pip install -e .'], 0],
  [['make deps', 'npm ci'], 0],
  [['createdb app_test'], 0],
  [[], 0],
]

test.each(cases)('of %j, the first %i are stored', (setup, stored) => {
  expect(splitSetup(setup)).toEqual({ stored: setup.slice(0, stored), rest: setup.slice(stored) })
})
