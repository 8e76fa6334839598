/** The backend's own names for tools, as a workflow file writes them. */
export const OWN_TOOLS = ['read_file', 'write_file', 'list_files', 'run_command'] as const
