@echo off
rem learnings.cmd hook EVENT [HARNESS] ^| mcp
rem Runs a program of this plugin with the first Node that is new enough: the one on PATH, the one that VS Code noted in
rem node-path, or one in the usual places. A hook never fails: a harness may take that for a no to what its agent does.
setlocal
set "here=%~dp0"
set "program=%~1"
set "event=%~2"
set "harness=%~3"

for %%I in (node.exe) do set "candidate=%%~$PATH:I"
call :attempt
if "%done%"=="1" exit /b 0

rem VS Code itself is a Node when it is told so.
set "ELECTRON_RUN_AS_NODE=1"
set "candidate="
if exist "%here%node-path" (
  chcp 65001 >nul 2>nul
  set /p candidate=<"%here%node-path"
)
call :attempt
if "%done%"=="1" exit /b 0
for /d %%D in ("%APPDATA%\nvm\v2*" "%APPDATA%\nvm\v3*") do call :try "%%~D\node.exe"
for %%F in (
  "%NVM_SYMLINK%\node.exe"
  "%ProgramFiles%\nodejs\node.exe"
  "%LOCALAPPDATA%\Programs\nodejs\node.exe"
  "%LOCALAPPDATA%\Volta\bin\node.exe"
  "%APPDATA%\fnm\aliases\default\node.exe"
  "%USERPROFILE%\scoop\apps\nodejs\current\node.exe"
  "%LOCALAPPDATA%\Programs\Microsoft VS Code\Code.exe"
  "%LOCALAPPDATA%\Programs\Microsoft VS Code Insiders\Code - Insiders.exe"
  "%ProgramFiles%\Microsoft VS Code\Code.exe"
  "%ProgramFiles%\Microsoft VS Code Insiders\Code - Insiders.exe"
) do call :try %%F
if "%done%"=="1" exit /b 0

set "advice=no Node.js 20 or newer was found, so agents get no learnings. Install Node.js from https://nodejs.org, or start VS Code with the Project Learnings extension once."
if not "%program%"=="hook" (
  echo Project Learnings: %advice% 1>&2
  exit /b 1
)
rem Once on a machine is enough; of several hooks at once, one gets to make the folder.
mkdir "%LOCALAPPDATA%\project-learnings\told-no-node" 2>nul && echo {"systemMessage":"Project Learnings: %advice%"}
exit /b 0

:try
if "%done%"=="1" exit /b 0
set "candidate=%~1"

:attempt
if not defined candidate exit /b 0
if not exist "%candidate%" exit /b 0
if not "%program%"=="hook" (
  "%candidate%" "%here%run.cjs" check <nul >nul 2>nul || exit /b 0
  "%candidate%" "%here%run.cjs" mcp
  set "done=1"
  exit /b 0
)
rem Who fails has not read the input, so that the next one can.
"%candidate%" "%here%run.cjs" hook "%event%" "%harness%" 2>nul && set "done=1"
exit /b 0
