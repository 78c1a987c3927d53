/** Closed word lists shared by schemas and types. */
export const taskComplexities = ['simple', 'medium', 'complex'] as const
export const blockKinds = ['dependency', 'external', 'fundamental'] as const
export const issueSeverities = ['critical', 'major', 'minor'] as const
