// A real Chromium for tests, without root: the headless build in the package @sparticuz/chromium, which is made for
// bare machines and is unpacked into .cache once. Other platforms use an installed browser.
// (1) It reaches only this machine: every name resolves to 127.0.0.1, where a test can stand in for other sites.
// (2) It runs without its own sandbox, which needs root or a kernel setting. It only ever loads our own pages.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { ROOT, runStep } from '../../scripts/run-step.ts'

const WANTED = '153.0.0'

export type ObtainedChromium = { path: string } | { missing: string }

export async function obtainChromium(): Promise<ObtainedChromium> {
  const machine = `${process.platform}-${process.arch}`
  if (machine !== 'linux-x64') {
    const path = installed()
    return path === null ? { missing: `needs Chromium or Chrome on ${machine}` } : { path }
  }
  const folder = join(ROOT, '.cache', `chromium-${WANTED}`)
  const path = join(folder, 'chromium')
  if (existsSync(path)) return { path }
  mkdirSync(dirname(folder), { recursive: true })
  const making = mkdtempSync(`${folder}-`)
  await unpack(making)
  const fonts = ['/usr/share/fonts', join(folder, 'fonts')].map((dir) => `<dir>${dir}</dir>`)
  writeFileSync(join(making, 'fonts.conf'), `<fontconfig>${fonts.join('')}</fontconfig>\n`)
  // If two processes do this at once, the second has made an identical folder.
  if (existsSync(folder)) rmSync(making, { recursive: true })
  else renameSync(making, folder)
  return { path }
}

function installed(): string | null {
  const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
  const found = names.map((name) => Bun.which(name)).find((path) => path !== null)
  return found ?? (existsSync(onMac) ? onMac : null)
}

/** Unpacks the browser, the few libraries that a bare machine lacks, and a font. */
async function unpack(folder: string): Promise<void> {
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  const spec = `@sparticuz/chromium@${WANTED}`
  await mustRun(['npm', 'pack', '--silent', spec, '--pack-destination', packed])
  const [tgz] = readdirSync(packed)
  const parts = ['--strip-components=2', 'package/bin']
  await mustRun(['tar', '-xzf', join(packed, tgz ?? ''), '-C', packed, ...parts])
  const opened = (name: string) => brotliDecompressSync(readFileSync(join(packed, `${name}.br`)))
  for (const name of ['al2023.tar', 'fonts.tar']) {
    writeFileSync(join(packed, name), opened(name))
    await mustRun(['tar', '-xf', join(packed, name), '-C', folder])
  }
  writeFileSync(join(folder, 'chromium'), opened('chromium'), { mode: 0o755 })
  rmSync(packed, { recursive: true })
}

async function mustRun(cmd: string[]): Promise<void> {
  const { ok, output } = await runStep({ name: 'chromium', cmd })
  if (!ok) throw new Error(`could not obtain Chromium: ${cmd.join(' ')}\n${output}`)
}

/** Long enough for a browser on a busy machine. */
export const PATIENCE_MS = 45_000

/** Launches the browser that the test command obtained, without the browser's own background traffic. */
export function launchChromium(): Promise<Browser> {
  const path = process.env.MAILROOM_TEST_CHROMIUM
  if (path === undefined) throw new Error('MAILROOM_TEST_CHROMIUM is not set; use npm test')
  const beside = dirname(path)
  const own = { LD_LIBRARY_PATH: join(beside, 'lib'), FONTCONFIG_FILE: join(beside, 'fonts.conf') }
  return chromium.launch({
    executablePath: path,
    timeout: PATIENCE_MS,
    chromiumSandbox: false,
    args: [
      '--host-resolver-rules=MAP * 127.0.0.1',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Starts no spare process for the next page, which saves a tenth of the processor time.
      '--renderer-process-limit=1',
      '--no-first-run',
    ],
    env: { ...process.env, ...(existsSync(join(beside, 'lib')) ? own : {}) } as Record<
      string,
      string
    >,
  })
}
