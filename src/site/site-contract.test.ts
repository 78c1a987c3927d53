/** Runs the same contract suite against every kind of site. */
import { describeSite } from '../../test/kit/site-contract.ts'
import { localSite, virtualSite } from '../../test/kit/sites.ts'

for (const kind of [localSite, virtualSite]) describeSite(kind)
