// Starts `shiftproof lsp` for Python files; the server does all the rest.

import { commands, ExtensionContext, window, workspace } from "vscode";
import { Executable, LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** A client for the server that the settings name. */
function made(): LanguageClient {
  const command = workspace.getConfiguration("shiftproof").get<string>("command", "shiftproof");
  const server: Executable = { command, args: ["lsp"] };
  return new LanguageClient("shiftproof", "shiftproof", server, {
    documentSelector: [{ scheme: "file", language: "python" }],
  });
}

async function start(): Promise<void> {
  client = made();
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const install = "pip install 'shiftproof[lsp]', or set shiftproof.command";
    void window.showErrorMessage(`shiftproof could not be started (${error}): ${install}`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

export async function activate(context: ExtensionContext): Promise<void> {
  const restart = async (): Promise<void> => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    commands.registerCommand("shiftproof.restart", restart),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("shiftproof.command")) void restart();
    }),
  );
  await start();
}

export const deactivate = stop;
