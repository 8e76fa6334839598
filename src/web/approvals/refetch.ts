import { queries } from '../api/queries.ts'

/** Asks again what is shown of a request, and the lists with it. */
export function refetch(id: string): void {
  void queries.invalidateQueries({ queryKey: ['request get', { request: id }] })
  void queries.invalidateQueries({ queryKey: ['request list'] })
}
