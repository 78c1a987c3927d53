/** Types of yaml-depth.js for the TypeScript side. */

/** Null when the YAML library can parse the text safely. */
export function depthProblem(text: string): { line: number; message: string } | null
