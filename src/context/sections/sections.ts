/** One function for every section that the table of purposes can name. */
import type { SectionName } from '../../model/purpose-row.ts'
import * as evidence from './evidence-sections.ts'
import * as failures from './failure-sections.ts'
import * as plan from './plan-sections.ts'
import * as run from './run-sections.ts'
import type { MakeSection } from './section-input.ts'
import * as task from './task-sections.ts'

export const sections: Record<SectionName, MakeSection> = { ...evidence, ...failures, ...plan, ...run, ...task }
