/** The options that set keys of the configuration, for surfaces. */
import type { SettingFlags } from '../../api/settings.ts'
import { configFlags, flagLayers } from '../../config/flags.ts'
import type { Limits } from '../../model/config.ts'

export const settingFlags: SettingFlags = {
  table: configFlags,
  read(flags) {
    const limits: Partial<Limits> = {}
    for (const { value } of flagLayers(flags)) Object.assign(limits, value.limits)
    return limits
  },
}
