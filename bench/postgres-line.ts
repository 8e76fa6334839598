// A slow connection to the server, in a separate process so that it doesn't take time from the clients.

import { startProxy } from '../test/tools/proxy.ts'
import { answer, nextMessage } from './child.ts'

const { url, delayMs } = await nextMessage<{ url: string; delayMs: number }>()
const proxy = await startProxy(url, { delayMs })
answer(proxy.url)
await nextMessage()
await proxy.stop()
