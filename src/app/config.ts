/** What `looper config` needs, in one lazily loaded piece. */
export { loadConfig } from '../config/layers.ts'
export { showConfig } from '../config/show.ts'
