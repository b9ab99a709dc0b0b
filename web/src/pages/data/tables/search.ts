/** Tables by words: in their names, their comments, or the names of their columns. */
import type { Table } from "@/pages/data/queries";

export interface Found {
  table: Table;
  /** The columns that have the words, where the table itself has not. */
  columns: string[];
}

export function searchTables(tables: Table[], words: string): Found[] {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return tables.map((table) => ({ table, columns: [] }));
  return tables.flatMap((table) => {
    if (`${table.schema}.${table.name} ${table.comment}`.toLowerCase().includes(wanted)) {
      return [{ table, columns: [] }];
    }
    const columns = table.columns
      .filter((column) => `${column.name} ${column.comment}`.toLowerCase().includes(wanted))
      .map((column) => column.name);
    return columns.length ? [{ table, columns }] : [];
  });
}
