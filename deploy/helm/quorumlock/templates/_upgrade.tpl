{{/* The addresses in a list of masters: sorted, in one spelling, without passwords. */}}
{{- define "quorumlock.addresses" -}}
{{- $addresses := regexReplaceAll "\\s|rediss?://([^,]*@)?" (lower .) "" -}}
{{- regexReplaceAll "(:6379)?/?(,|$)" $addresses "$2" | splitList "," | compact | sortAlpha | join "," -}}
{{- end }}

{{/* The list of masters in a secret of the cluster. Empty without access to it. */}}
{{- define "quorumlock.nodesInSecret" -}}
{{- $secret := lookup "v1" "Secret" .namespace .name | default dict -}}
{{- get ($secret.data | default dict) "nodes" | b64dec -}}
{{- end }}

{{- define "quorumlock.nodesAfterUpgrade" -}}
{{- if ne .Values.engine "redlock" -}}
{{- include "quorumlock.storeServers" . -}}
{{- else if .Values.masters.enabled -}}
{{- include "quorumlock.nodes" . -}}
{{- else if .Values.externalMasters.urls -}}
{{- join "," .Values.externalMasters.urls -}}
{{- else -}}
{{- include "quorumlock.nodesInSecret" (dict "namespace" .Release.Namespace "name" .Values.externalMasters.existingSecret) -}}
{{- end -}}
{{- end }}

{{/*
Replicas with different masters do not exclude each other. Two lists of servers belong to one store if they have a server
in common. The Deployment is found by its labels, because its name may have changed. Without access to the cluster nothing
is checked.
*/}}
{{- define "quorumlock.checkUpgrade" -}}
{{- if .Release.IsUpgrade -}}
{{- $new := include "quorumlock.addresses" (include "quorumlock.nodesAfterUpgrade" .) -}}
{{- $selector := include "quorumlock.selector" . | fromYaml -}}
{{- range $deployment := (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- $labels := .metadata.labels | default dict -}}
{{- $running := or .spec.replicas (.status | default dict).replicas -}}
{{- if and $running (deepEqual $selector (pick $labels "app.kubernetes.io/name" "app.kubernetes.io/instance")) -}}
{{- if not $new -}}
{{- fail (printf "secret %s has no masters in the key nodes while Deployment %s has replicas: create it before the upgrade" $.Values.externalMasters.existingSecret .metadata.name) -}}
{{- end -}}
{{- range .spec.template.spec.containers -}}
{{- range .env -}}
{{- if has .name (list "QUORUMLOCK_NODES" "QUORUMLOCK_ZOOKEEPER_SERVERS" "QUORUMLOCK_ETCD_SERVERS") -}}
{{- $nodes := .value | default "" -}}
{{- with dig "valueFrom" "secretKeyRef" "name" "" . -}}
{{- $nodes = include "quorumlock.nodesInSecret" (dict "namespace" $.Release.Namespace "name" .) -}}
{{- end -}}
{{- $old := include "quorumlock.addresses" $nodes -}}
{{- $isSame := eq $old $new -}}
{{- if eq .name (printf "QUORUMLOCK_%s_SERVERS" (upper $.Values.engine)) -}}
{{- range splitList "," $old -}}
{{- $isSame = or $isSame (has . (splitList "," $new)) -}}
{{- end -}}
{{- end -}}
{{- if not $isSame -}}
{{- fail (printf "the masters would change from %s to %s while Deployment %s has replicas, so that two clients could hold one lock: stop all replicas (by replicas=0 and the old values, or by kubectl scale) and sidecars, wait longer than the longest TTL, and upgrade again" ($old | default "an unknown list") $new $deployment.metadata.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
