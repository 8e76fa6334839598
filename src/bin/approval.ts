// Whether a store's programs may be started here. A PostgreSQL store is named by whoever starts us; a file
// may have been found in a folder that came from elsewhere.
//
// (1) A file that was made here is approved in the transaction that makes it.
// (2) The mark is of that very file: a copy of an approved store is not approved.
// (3) Commands that came out of a file with a log are not: importing one takes the approval back.
// (4) A file of another user never is: its owner could approve it for us.

import fs from 'node:fs'
import { quote, refuse } from '../core/error.ts'
import type { Approval } from '../core/launch.ts'
import type { Store } from '../core/store.ts'
import { APPROVED, fileMark, WITHDRAWN } from '../store/file-mark.ts'

export function approvalOf(address: string, store: Store): Approval {
  if (/^postgres(ql)?:\/\//i.test(address)) {
    return {
      isGiven: async () => (await (await store.admin()).setting(APPROVED)) !== WITHDRAWN,
      give: async () => (await store.admin()).putSetting(APPROVED, 'yes'),
    }
  }
  const isOwn = () => fs.statSync(address).uid === (process.getuid?.() ?? 0)
  return {
    async isGiven() {
      const admin = await store.admin()
      return isOwn() && (await admin.setting(APPROVED)) === fileMark(address)
    },
    async give() {
      if (!isOwn()) {
        throw refuse('forbidden', `${quote(address)} belongs to another user, who could change it`)
      }
      await (await store.admin()).putSetting(APPROVED, fileMark(address))
    },
  }
}
