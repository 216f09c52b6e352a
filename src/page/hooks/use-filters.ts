import { useCallback, useEffect, useState } from 'preact/hooks'
import { type Filters, readFilters, writeFilters } from '../model/filters.ts'

export type ChangeFilters = (change: Partial<Filters>, isStep?: boolean) => void

/** The filters of the address. A step adds an entry to the browser's history; typing does not. */
export function useFilters(): [Filters, ChangeFilters] {
  const [filters, setFilters] = useState(() => readFilters(location.search))
  useEffect(() => {
    const onPop = () => setFilters(readFilters(location.search))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  const change = useCallback<ChangeFilters>((part, isStep = false) => {
    const next = { ...readFilters(location.search), ...part }
    const url = location.pathname + writeFilters(location.search, next)
    if (isStep) history.pushState(null, '', url)
    else history.replaceState(null, '', url)
    setFilters(next)
  }, [])
  return [filters, change]
}
