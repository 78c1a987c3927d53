import { expect, test } from 'vitest'
import { createAdapters } from './registry.ts'

test('every adapter is found under its own id', () => {
  for (const [type, adapter] of Object.entries(createAdapters({
    playerPath: '/player.js', driverPath: '/player.js',
  }))) expect(adapter.id).toBe(type)
})
