/** The verification workspaces of a run. Evidence is seen with Looper's own settings of git only. */
import type { CheckWork } from '../../model/work.ts'
import { diskError } from '../git/full-disk.ts'
import { readOnce } from '../git/user-settings.ts'
import type { OwnGit } from '../own-git.ts'
import type { Altered, Verification } from '../workspaces.ts'
import { verificationFolder } from '../workspaces-folder.ts'
import { clearLookups } from './lookup-folders.ts'
import { createVerification, type VerificationOptions } from './verification.ts'

export interface RunVerificationOptions extends Omit<
  VerificationOptions,
  'folder' | 'gitDir' | 'gitEnv' | 'writeGitDir' | 'quick'
> {
  /** The folder of the run's workspaces. */
  folder: string
  git: OwnGit
}

export function openRunVerification({ folder, git, ...options }: RunVerificationOptions) {
  const open = readOnce(async () => {
    const { gitDir, env, writeGitDir, quick } = await git.frozen()
    const folders = { folder: verificationFolder(folder), gitDir }
    return createVerification({ ...options, ...folders, gitEnv: env, writeGitDir, quick })
  })

  const restored = async (): ReturnType<typeof open> => {
    await git.frozen()
    return open()
  }

  const ofDisk = (error: unknown): never => {
    throw diskError(error, verificationFolder(folder), options.root)
  }

  let wanted = 0

  return {
    async verification(work: CheckWork): Promise<Verification> {
      wanted += 1
      const workspaces = await restored()
      await clearLookups(git.lookups(), folder)
      return workspaces.verification(work).catch(ofDisk)
    },

    /** Whether a workspace was wanted for a check. */
    isUsed: (): boolean => wanted > 0,

    /** Has the products of the commit's set-up made and stored, in a workspace that no agent enters. */
    async warm(commit: string, key: string): Promise<void> {
      const workspaces = await restored()
      await clearLookups(git.lookups(), folder)
      await workspaces.warm(commit, key)
    },

    altered: async (workId: string): Promise<Altered> => (await restored()).altered(workId),

    renewed: async (work: CheckWork): Promise<Verification> => (await restored()).renewed(work).catch(ofDisk),

    verified: (workId: string): void =>
      void open().then(
        (workspaces) => workspaces.verified(workId),
        () => {},
      ),

    clean: async (): Promise<void> => (await open()).clean(),
  }
}
