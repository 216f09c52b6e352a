import { useEffect, useState } from 'preact/hooks'
import { send } from '../client/requests.ts'

interface ServiceInfo {
  github_server_url: string
}

/** GitHub's web address, from the service. */
export function useGithubUrl(): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    void send<ServiceInfo>('GET', '/api/v1').then((reply) => {
      if (reply.ok) setUrl(reply.body.github_server_url)
    })
  }, [])
  return url
}
