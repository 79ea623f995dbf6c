#!/bin/sh
# learnings.sh hook EVENT [HARNESS] | mcp
# Runs a program of this plugin with the first Node that is new enough: the one on PATH, the one that VS Code noted in
# node-path, or one in the usual places. A hook never fails: a harness may take that for a no to what its agent does.

case $0 in
*/*) here=${0%/*} ;;
*\\*) here=${0%\\*} ;;
*) here=. ;;
esac
program=$1 event=$2 harness=$3

attempt() {
  if [ "$program" = hook ]; then
    # Who fails has not read the input, so that the next one can.
    "$1" "$here/run.cjs" hook "$event" "$harness" 2>/dev/null && exit 0
  elif "$1" "$here/run.cjs" check </dev/null >/dev/null 2>&1; then
    # A server is to be this very process, which ends when it is told to.
    exec "$1" "$here/run.cjs" mcp
  fi
}

command -v node >/dev/null && attempt node

# VS Code itself is a Node when it is told so.
export ELECTRON_RUN_AS_NODE=1
noted=
[ -r "$here/node-path" ] && IFS= read -r noted <"$here/node-path"
home=${HOME:-/nowhere}

for candidate in \
  "$noted" \
  "${NVM_BIN:-/nowhere}/node" \
  "${NVM_DIR:-$home/.nvm}"/versions/node/v[2-9][0-9].*/bin/node \
  "${VOLTA_HOME:-$home/.volta}/bin/node" \
  "${FNM_DIR:-$home/.local/share/fnm}"/aliases/default/bin/node \
  "$home/.fnm/aliases/default/bin/node" \
  "$home/Library/Application Support/fnm/aliases/default/bin/node" \
  "${ASDF_DATA_DIR:-$home/.asdf}"/installs/nodejs/[2-9][0-9].*/bin/node \
  "$home"/.local/share/mise/installs/node/[2-9][0-9]*/bin/node \
  "$home"/.nodenv/versions/[2-9][0-9].*/bin/node \
  /opt/homebrew/bin/node \
  /opt/homebrew/opt/node@*/bin/node \
  /home/linuxbrew/.linuxbrew/bin/node \
  /usr/local/bin/node \
  /usr/bin/node \
  /opt/local/bin/node \
  /snap/bin/node \
  "${ProgramFiles:-/nowhere}/nodejs/node.exe" \
  "$home"/.vscode-server*/cli/servers/*/server/node \
  "$home"/.vscode-server*/bin/*/node \
  "$home"/.cursor-server/bin/*/node \
  /usr/lib/code-server/lib/node \
  /usr/share/code/code \
  /usr/share/code-insiders/code-insiders \
  /opt/visual-studio-code/code \
  /snap/code/current/usr/share/code/code \
  /Applications/"Visual Studio Code"*.app/Contents/MacOS/[CE]* \
  "$home"/Applications/"Visual Studio Code"*.app/Contents/MacOS/[CE]* \
  "${LOCALAPPDATA:-/nowhere}"/Programs/"Microsoft VS Code"*/Code*.exe \
  "${ProgramFiles:-/nowhere}"/"Microsoft VS Code"*/Code*.exe; do
  [ -f "$candidate" ] && [ -x "$candidate" ] && attempt "$candidate"
done

advice='no Node.js 20 or newer was found, so agents get no learnings. Install Node.js from https://nodejs.org, or start VS Code with the Project Learnings extension once.'
if [ "$program" != hook ]; then
  echo "Project Learnings: $advice" >&2
  exit 1
fi
# Once on a machine is enough; of several hooks at once, one gets to make the folder.
PATH=${PATH:+$PATH:}/usr/bin:/bin
told=${XDG_CACHE_HOME:-$home/.cache}/project-learnings
mkdir -p "$told" 2>/dev/null && mkdir "$told/told-no-node" 2>/dev/null &&
  printf '{"systemMessage":"Project Learnings: %s"}\n' "$advice"
exit 0
