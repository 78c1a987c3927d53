/** Reduces the memory of a process that runs for hours. */
import { setFlagsFromString } from 'node:v8'

let isTuned = false

/**
 * Collects garbage before the heap grows and keeps the space for short-lived objects at its size. An orchestrator
 * mostly waits, so more frequent collection costs little, and a smaller process forks faster. Call it when the code
 * that is needed soon is loaded: V8 rejects code that the build compiled with other settings than these.
 */
export function tuneMemory(): void {
  if (isTuned) return
  isTuned = true
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--optimize-for-size')
  // Optimize only very hot functions: each compiler thread keeps memory of its own.
  setFlagsFromString('--interrupt-budget=500000')
}
