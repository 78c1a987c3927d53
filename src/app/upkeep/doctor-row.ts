/** A row of `looper doctor` about something that works, or fails with a LooperError. */
import { LooperError } from '../../model/error.ts'
import type { DoctorRow } from '../../api/upkeep.ts'

export async function addRow<T>(
  rows: DoctorRow[],
  check: string,
  probe: () => Promise<T>,
  detail: (found: T) => string,
): Promise<T | null> {
  try {
    const found = await probe()
    rows.push({ check, ok: true, detail: detail(found), hint: null })
    return found
  } catch (error) {
    if (!(error instanceof LooperError)) throw error
    rows.push({ check, ok: false, detail: error.message, hint: error.hint })
    return null
  }
}
