// npm runs this before it installs. `npm install -g .` links the programs in dist/ into the user's PATH but says
// nothing if there are none, so this script does.

import { existsSync } from 'node:fs'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../dist/inbox')
if (process.env.npm_config_global === 'true' && !existsSync(program)) {
  console.error("There is nothing to install yet. First run 'npm install && npm run build' here.")
  process.exit(1)
}
