import { queries } from '../../api/queries.ts'

/** Asks again what is shown of these requests, and the lists with it. */
export function refetch(...ids: string[]): void {
  for (const request of ids) {
    void queries.invalidateQueries({ queryKey: ['request get', { request }] })
  }
  void queries.invalidateQueries({ queryKey: ['request list'] })
}
